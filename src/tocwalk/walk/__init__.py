"""The rules of the walk, apart from the graph that runs them: offers, picks, second tries, waves, results."""
