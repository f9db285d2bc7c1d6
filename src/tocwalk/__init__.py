"""Ask long, structured documents a question; get back whole, named sections."""
