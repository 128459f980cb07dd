"""What goes in and out of calls: parameters, arguments, results, instances."""
