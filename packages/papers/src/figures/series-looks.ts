/**
 * Colours and marks of what several figures draw, so that a series looks the same in all papers: its place in
 * the palette by its colour key. What else a figure draws takes the places that it leaves free.
 */
export const SERIES_LOOKS: Readonly<Record<string, number>> = {
  certified: 6,
  'variation-ratio': 7,
  clone: 3,
  'stronger clone': 4,
  'privacy blanket': 1,
  Erlingsson: 0,
  EoN: 5,
  HPS: 2,
  CCC: 3,
  'basic composition': 0,
  'advanced composition': 1,
  'original analysis': 0,
  'uni-shuffle': 0,
  apes: 1,
  's-apes': 2,
  'Clip-Laplace': 1,
  Laplace: 0,
  'largest kept': 2,
  'random kept': 3,
  APES: 1,
  Segmented: 0,
  'Segmented, exact': 2,
  'Balls into bins': 5,
  SepMM: 6,
  'Weighted SepMM': 7,
};
