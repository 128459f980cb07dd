"""What `gradgen explain` tells: the stages of one gradient as text and as a page."""
