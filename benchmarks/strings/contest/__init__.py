"""PFR beside other methods that find strings: PEM, TreeHist, and OLH over a list of all of them."""
