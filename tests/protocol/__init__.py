"""What all hosts of tables have in common: the same tests for the server and for a device."""
