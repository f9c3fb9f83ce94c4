# The worker for the peers written in R; workers.py describes the lines it reads and writes.
# Scores and labels are read once by `load`; only the calls of `run` are timed.

quietly <- function(package) {
  suppressWarnings(suppressPackageStartupMessages(requireNamespace(package, quietly = TRUE)))
}
installed <- Filter(quietly, c("pROC", "fbroc"))
sample <- list()

load_sample <- function(folder, rows) {
  column <- function(name, what, size) {
    readBin(file.path(folder, name), what, n = rows, size = size, endian = "little")
  }
  sample <<- list(
    label = column("label.bin", "integer", 4),
    first = column("first.bin", "double", 8),
    second = column("second.bin", "double", 8)
  )
  # fbroc wants logical labels, pROC's bootstrap an existing curve: neither is part of the timing.
  sample$positive <<- sample$label == 1L
  sample$curve <<- NULL
}

curve <- function(score) {
  pROC::roc(sample$label, score, levels = c(0, 1), direction = "<", quiet = TRUE)
}

questions <- list(
  auc = function(unused) as.numeric(pROC::auc(curve(sample$first))),
  delong = function(unused) {
    interval <- as.numeric(pROC::ci.auc(curve(sample$first), method = "delong"))
    interval[c(2, 1, 3)]
  },
  compare = function(unused) {
    test <- pROC::roc.test(curve(sample$first), curve(sample$second),
                           method = "delong", paired = TRUE)
    c(as.numeric(test$estimate), abs(as.numeric(test$statistic)), test$p.value)
  },
  bootstrap = function(replicates) {
    interval <- pROC::ci.auc(sample$curve, method = "bootstrap", boot.n = replicates,
                             boot.stratified = TRUE, progress = "none")
    as.numeric(interval)[c(1, 3)]
  },
  sensitivities = function(replicates) {
    rates <- seq(0, 1, by = 0.01)
    found <- pROC::ci.se(sample$curve, specificities = 1 - rates, boot.n = replicates,
                         conf.level = 0.95, boot.stratified = TRUE, progress = "none")
    at <- match(c(10, 30, 60), round(100 * rates))
    c(found[at, 1], found[at, 3])
  },
  fbroc_bootstrap = function(replicates) {
    boot <- fbroc::boot.roc(sample$first, sample$positive, stratify = TRUE, n.boot = replicates)
    as.numeric(fbroc::perf(boot, "auc", conf.level = 0.95)$CI.Performance)
  }
)

run <- function(question, calls, argument) {
  needs_curve <- question %in% c("bootstrap", "sensitivities")
  if (needs_curve && is.null(sample$curve)) sample$curve <<- curve(sample$first)
  invisible(gc())
  start <- Sys.time()
  for (call in seq_len(calls)) value <- questions[[question]](argument)
  seconds <- as.numeric(difftime(Sys.time(), start, units = "secs"))
  format(c(seconds, value), digits = 17, trim = TRUE, scientific = TRUE)
}

answer <- function(words) {
  switch(words[1],
    versions = paste0(installed, "=", vapply(installed, function(package) {
      as.character(utils::packageVersion(package))
    }, "")),
    load = {
      load_sample(words[2], as.integer(words[3]))
      character()
    },
    run = run(words[2], as.integer(words[3]), as.integer(words[4])),
    stop("no such command: ", words[1])
  )
}

input <- file("stdin")
open(input)
while (length(line <- readLines(input, n = 1)) > 0) {
  words <- strsplit(line, "\t", fixed = TRUE)[[1]]
  reply <- tryCatch(
    c("ok", answer(words)),
    error = function(problem) c("error", gsub("[\n\t]", " ", conditionMessage(problem)))
  )
  cat(paste(reply, collapse = "\t"), "\n", sep = "")
  flush(stdout())
}
