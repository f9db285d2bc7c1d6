"""What judges an offer: the protocol, the registry that finds navigators, and those built in, one file each."""
