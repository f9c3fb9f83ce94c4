// Order of the results of the search: pages whose title has all words of the query first, then the user guide.
var Scorer = {
  score: (result) => {
    const [page, title, , , score] = result;
    const query = new URLSearchParams(window.location.search).get("q") || "";
    const words = query.toLowerCase().match(/[a-z0-9]+/g) || [];
    const named = words.every((word) => title.toLowerCase().includes(word.slice(0, 5)));
    return score + (page.startsWith("guide/") ? 2 : 0) + (named ? 6 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
