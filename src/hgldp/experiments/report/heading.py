"""Which paper is reproduced, and how a reader should take what follows."""

TITLE = "Local Differentially Private Heavy Hitter Detection in Data Streams with Bounded Memory"
AUTHORS = "Xiaochen Li, Weiran Liu, Jian Lou, Yuan Hong, Lei Zhang, Zhan Qin and Kui Ren"
HEADING = "Li et al., reproduced"
BYLINE = f"“{TITLE}” by {AUTHORS}: its figures, tables and claims, measured again."
WHAT = (
    "The paper finds the most frequent items of a stream in little memory, from reports that each person randomises. "
    "It has four schemes, BGR, DSR, BDR and CNR. “Ours” are these schemes as this package has them, repaired where the "
    "paper slips. “Authors' code” is what their published program computes, rebuilt here. Every verdict was computed "
    "from the runs of this report by a fixed rule, and stands beside its numbers. NDCG is 1 for the true top in the "
    "true order and 0 if nothing of it was found; ε is what a report spends of its sender's privacy."
)
