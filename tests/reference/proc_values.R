# Reference values from R's pROC. Run: Rscript tests/reference/proc_values.R
# Writes proc_values.csv beside this script: sample, quantity, value (17 significant digits).
# Only numbers are compared; nothing of pROC's code is used.
suppressMessages(library(pROC))
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))

i <- 0:299
samples <- list(
  A = list(x = c(1, 2, 3, 5), y = c(4, 6, 7)),
  B = list(x = c(1, 2, 2, 3, 4), y = c(2, 3, 4, 5)),
  C = list(x = c(.12, .25, .31, .38, .44, .47, .52, .59, .66, .71, .78, .90),
           y = c(.29, .42, .55, .61, .64, .73, .81, .85, .93, .97)),
  P1 = list(x = c(12, 31, 25, 40, 18, 22, 35, 28), y = c(30, 45, 38, 52, 41, 27, 60)),
  # residues: 300 rows, about 100 distinct scores, ties within and between the classes
  residues = local({
    positive <- (31 * i) %% 17 < 6
    score <- (7919 * i + 13 * (i %% 17)) %% 101 + ifelse(positive, 20, 0)
    list(x = score[!positive], y = score[positive])
  })
)
data(aSAH)
for (marker in c("wfns", "s100b", "ndka")) {
  score <- as.numeric(aSAH[[marker]])
  samples[[marker]] <- list(x = score[aSAH$outcome == "Good"], y = score[aSAH$outcome == "Poor"])
}

parts <- list(c("sp", 1, .9), c("sp", .9, .8), c("sp", .8, .3), c("sp", .55, .123),
              c("se", 1, .9), c("se", .9, .3), c("se", .777, .111))
rows <- character()
say <- function(sample, quantity, value) {
  stopifnot(is.finite(value))
  rows <<- c(rows, sprintf("%s,%s,%.17g", sample, quantity, value))
}
for (name in names(samples)) {
  r <- roc(controls = samples[[name]]$x, cases = samples[[name]]$y, direction = "<", quiet = TRUE)
  say(name, "auc", as.numeric(auc(r)))
  say(name, "variance", var(r, method = "delong"))
  for (level in c(.95, .9)) {
    limits <- ci.auc(r, method = "delong", conf.level = level)
    say(name, paste("low", level), limits[1])
    say(name, paste("high", level), limits[3])
  }
  for (part in parts) {
    range <- as.numeric(part[2:3])
    words <- paste(part[1], part[2], part[3])
    raw <- auc(r, partial.auc = range, partial.auc.focus = part[1])
    say(name, paste("area", words), as.numeric(raw))
    scaled <- suppressWarnings(
      auc(r, partial.auc = range, partial.auc.focus = part[1], partial.auc.correct = TRUE))
    # pROC has no corrected value for a curve below the diagonal
    if (is.finite(scaled)) say(name, paste("standardized", words), as.numeric(scaled))
  }
  best <- coords(r, "best", best.method = "youden", ret = c("tp", "fp", "tn", "fn"))[1, ]
  for (count in names(best)) say(name, paste("youden", count), best[[count]])
}
header <- c(sprintf("# %s, pROC %s", R.version.string, packageVersion("pROC")),
            "sample,quantity,value")
writeLines(c(header, rows), file.path(here, "proc_values.csv"))
