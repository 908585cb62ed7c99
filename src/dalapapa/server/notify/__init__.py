"""Turn notifications to absent players, by web push and by mail."""
