"""What names and objects hold: arrays of modules, lists, dictionaries, stores."""
