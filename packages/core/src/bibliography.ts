/** The literature, each work once: mechanisms, bounds and protocols name theirs by its key. */

/** A work by its BibTeX fields; accents as TeX writes them. */
export interface Work {
  readonly kind: 'article' | 'inproceedings' | 'misc';
  readonly author: string;
  readonly title: string;
  /** Journal, proceedings, or how it was published. */
  readonly venue: string;
  readonly year: number;
  /** Further fields, as BibTeX names them. */
  readonly more?: Readonly<Record<string, string>>;
}

const WORKS = {
  efmrtt2019: {
    kind: 'inproceedings',
    author:
      "\\'Ulfar Erlingsson and Vitaly Feldman and Ilya Mironov and Ananth Raghunathan and Kunal Talwar and Abhradeep Thakurta",
    title: 'Amplification by Shuffling: From Local to Central Differential Privacy via Anonymity',
    venue: 'Proceedings of the 30th Annual ACM-SIAM Symposium on Discrete Algorithms (SODA)',
    year: 2019,
    more: { eprint: '1811.12469', archivePrefix: 'arXiv' },
  },
  bbgn2019: {
    kind: 'inproceedings',
    author: "Borja Balle and James Bell and Adri\\`a Gasc\\'on and Kobbi Nissim",
    title: 'The Privacy Blanket of the Shuffle Model',
    venue: 'Advances in Cryptology -- CRYPTO 2019',
    year: 2019,
    more: { eprint: '1903.02837', archivePrefix: 'arXiv' },
  },
  fmt2021: {
    kind: 'inproceedings',
    author: 'Vitaly Feldman and Audra McMillan and Kunal Talwar',
    title:
      'Hiding Among the Clones: A Simple and Nearly Optimal Analysis of Privacy Amplification by Shuffling',
    venue: '62nd IEEE Annual Symposium on Foundations of Computer Science (FOCS)',
    year: 2021,
    more: { eprint: '2012.12803', archivePrefix: 'arXiv' },
  },
  fmt2023: {
    kind: 'inproceedings',
    author: 'Vitaly Feldman and Audra McMillan and Kunal Talwar',
    title: "Stronger Privacy Amplification by Shuffling for R\\'enyi and Approximate Differential Privacy",
    venue: 'Proceedings of the 2023 Annual ACM-SIAM Symposium on Discrete Algorithms (SODA)',
    year: 2023,
    more: { eprint: '2208.04591', archivePrefix: 'arXiv' },
  },
  wang2024: {
    kind: 'article',
    author:
      'Shaowei Wang and Yun Peng and Jin Li and Zikai Wen and Zhipeng Li and Shiyu Yu and Di Wang and Wei Yang',
    title: 'Privacy Amplification via Shuffling: Unified, Simplified, and Tightened',
    venue: 'Proceedings of the VLDB Endowment',
    year: 2024,
    more: { volume: '17', number: '8', pages: '1870--1883', doi: '10.14778/3659437.3659444' },
  },
  girgis2021: {
    kind: 'inproceedings',
    author:
      'Antonious M. Girgis and Deepesh Data and Suhas Diggavi and Ananda Theertha Suresh and Peter Kairouz',
    title: "On the R\\'enyi Differential Privacy of the Shuffle Model",
    venue: 'Proceedings of the 2021 ACM SIGSAC Conference on Computer and Communications Security (CCS)',
    year: 2021,
    more: { eprint: '2105.05180', archivePrefix: 'arXiv' },
  },
  liu2023: {
    kind: 'inproceedings',
    author: 'Yixuan Liu and Suyun Zhao and Li Xiong and Yuhan Liu and Hong Chen',
    title:
      'Echo of Neighbors: Privacy Amplification for Personalized Private Federated Learning with Shuffle Model',
    venue: 'Proceedings of the AAAI Conference on Artificial Intelligence',
    year: 2023,
    more: { volume: '37', pages: '11865--11872' },
  },
  chen2024: {
    kind: 'inproceedings',
    author: 'E Chen and Yang Cao and Yifei Ge',
    title:
      'A Generalized Shuffle Framework for Privacy Amplification: Strengthening Privacy Guarantees and Enhancing Utility',
    venue: 'Proceedings of the AAAI Conference on Artificial Intelligence',
    year: 2024,
    more: { volume: '38', pages: '11267--11275' },
  },
  liu2024: {
    kind: 'inproceedings',
    author: 'Yixuan Liu and Yuhan Liu and Li Xiong and Yujie Gu and Hong Chen',
    title: 'Enhanced Privacy Bound for Shuffle Model with Personalized Privacy',
    venue:
      'Proceedings of the 33rd ACM International Conference on Information and Knowledge Management (CIKM)',
    year: 2024,
    more: { doi: '10.1145/3627673.3679911' },
  },
  wang2025composition: {
    kind: 'article',
    author: 'Shaowei Wang and Sufen Zeng and Jin Li and Shaozheng Huang and Yuyang Chen',
    title: 'Shuffle Model of Differential Privacy: Numerical Composition for Federated Learning',
    venue: 'Applied Sciences',
    year: 2025,
    more: { volume: '15', number: '3', pages: '1595', doi: '10.3390/app15031595' },
  },
  cheu2022: {
    kind: 'inproceedings',
    author: 'Albert Cheu and Maxim Zhilyaev',
    title: 'Differentially Private Histograms in the Shuffle Model from Fake Users',
    venue: 'IEEE Symposium on Security and Privacy (SP)',
    year: 2022,
  },
  luo2022: {
    kind: 'inproceedings',
    author: 'Qiyao Luo and Yilei Wang and Ke Yi',
    title: 'Frequency Estimation in the Shuffle Model with Almost a Single Message',
    venue: 'ACM SIGSAC Conference on Computer and Communications Security (CCS)',
    year: 2022,
  },
  warner1965: {
    kind: 'article',
    author: 'Stanley L. Warner',
    title: 'Randomized Response: A Survey Technique for Eliminating Evasive Answer Bias',
    venue: 'Journal of the American Statistical Association',
    year: 1965,
  },
  dwork2006: {
    kind: 'inproceedings',
    author: 'Cynthia Dwork and Frank McSherry and Kobbi Nissim and Adam Smith',
    title: 'Calibrating Noise to Sensitivity in Private Data Analysis',
    venue: 'Theory of Cryptography Conference (TCC)',
    year: 2006,
  },
  dwork2006noise: {
    kind: 'inproceedings',
    author: 'Cynthia Dwork and Krishnaram Kenthapadi and Frank McSherry and Ilya Mironov and Moni Naor',
    title: 'Our Data, Ourselves: Privacy via Distributed Noise Generation',
    venue: 'Advances in Cryptology -- EUROCRYPT',
    year: 2006,
  },
  bw2018: {
    kind: 'inproceedings',
    author: 'Borja Balle and Yu-Xiang Wang',
    title:
      'Improving the Gaussian Mechanism for Differential Privacy: Analytical Calibration and Optimal Denoising',
    venue: 'International Conference on Machine Learning (ICML)',
    year: 2018,
  },
  chatzikokolakis2013: {
    kind: 'inproceedings',
    author:
      "Konstantinos Chatzikokolakis and Miguel E. Andr{\\'e}s and Nicol{\\'a}s E. Bordenabe and Catuscia Palamidessi",
    title: 'Broadening the Scope of Differential Privacy Using Metrics',
    venue: 'Privacy Enhancing Technologies (PETS)',
    year: 2013,
  },
  andres2013: {
    kind: 'inproceedings',
    author:
      "Miguel E. Andr{\\'e}s and Nicol{\\'a}s E. Bordenabe and Konstantinos Chatzikokolakis and Catuscia Palamidessi",
    title: 'Geo-Indistinguishability: Differential Privacy for Location-Based Systems',
    venue: 'ACM SIGSAC Conference on Computer and Communications Security (CCS)',
    year: 2013,
  },
  erlingsson2014: {
    kind: 'inproceedings',
    author: "{\\'U}lfar Erlingsson and Vasyl Pihur and Aleksandra Korolova",
    title: 'RAPPOR: Randomized Aggregatable Privacy-Preserving Ordinal Response',
    venue: 'ACM SIGSAC Conference on Computer and Communications Security (CCS)',
    year: 2014,
  },
  kairouz2016: {
    kind: 'inproceedings',
    author: 'Peter Kairouz and Keith Bonawitz and Daniel Ramage',
    title: 'Discrete Distribution Estimation under Local Privacy',
    venue: 'International Conference on Machine Learning (ICML)',
    year: 2016,
  },
  wang2017: {
    kind: 'inproceedings',
    author: 'Tianhao Wang and Jeremiah Blocki and Ninghui Li and Somesh Jha',
    title: 'Locally Differentially Private Protocols for Frequency Estimation',
    venue: 'USENIX Security Symposium',
    year: 2017,
  },
  wang2018: {
    kind: 'inproceedings',
    author: 'Shaowei Wang and Liusheng Huang and Yiwen Nie and Pengzhan Wang and Hongli Xu and Wei Yang',
    title: 'PrivSet: Set-Valued Data Analyses with Locale Differential Privacy',
    venue: 'IEEE Conference on Computer Communications (INFOCOM)',
    year: 2018,
  },
  ye2018: {
    kind: 'article',
    author: 'Min Ye and Alexander Barg',
    title: 'Optimal Schemes for Discrete Distribution Estimation under Locally Differential Privacy',
    venue: 'IEEE Transactions on Information Theory',
    year: 2018,
  },
  acharya2019: {
    kind: 'inproceedings',
    author: 'Jayadev Acharya and Ziteng Sun and Huanyu Zhang',
    title:
      'Hadamard Response: Estimating Distributions Privately, Efficiently, and with Little Communication',
    venue: 'International Conference on Artificial Intelligence and Statistics (AISTATS)',
    year: 2019,
  },
  qin2016: {
    kind: 'inproceedings',
    author: 'Zhan Qin and Yin Yang and Ting Yu and Issa Khalil and Xiaokui Xiao and Kui Ren',
    title: 'Heavy Hitter Estimation over Set-Valued Data with Local Differential Privacy',
    venue: 'ACM SIGSAC Conference on Computer and Communications Security (CCS)',
    year: 2016,
  },
  bhowmick2018: {
    kind: 'misc',
    author: 'Abhishek Bhowmick and John Duchi and Julien Freudiger and Gaurav Kapoor and Ryan Rogers',
    title: 'Protection Against Reconstruction and Its Applications in Private Federated Learning',
    venue: 'arXiv:1812.00984',
    year: 2018,
  },
  duchi2018: {
    kind: 'article',
    author: 'John C. Duchi and Michael I. Jordan and Martin J. Wainwright',
    title: 'Minimax Optimal Procedures for Locally Private Estimation',
    venue: 'Journal of the American Statistical Association',
    year: 2018,
  },
  nwang2019: {
    kind: 'inproceedings',
    author:
      'Ning Wang and Xiaokui Xiao and Yin Yang and Jun Zhao and Siu Cheung Hui and Hyejin Shin and Junbum Shin and Ge Yu',
    title: 'Collecting and Analyzing Multidimensional Data with Local Differential Privacy',
    venue: 'IEEE International Conference on Data Engineering (ICDE)',
    year: 2019,
  },
  gu2020: {
    kind: 'inproceedings',
    author: 'Xiaolan Gu and Ming Li and Yueqiang Cheng and Li Xiong and Yang Cao',
    title: 'PCKV: Locally Differentially Private Correlated Key-Value Data Collection with Optimized Utility',
    venue: 'USENIX Security Symposium',
    year: 2020,
  },
  wang2020: {
    kind: 'article',
    author: 'Shaowei Wang and Yuqiu Qian and Jiachun Du and Wei Yang and Liusheng Huang and Hongli Xu',
    title: 'Set-Valued Data Publication with Local Privacy: Tight Error Bounds and Efficient Mechanisms',
    venue: 'Proceedings of the VLDB Endowment',
    year: 2020,
  },
  wang2021: {
    kind: 'inproceedings',
    author: 'Shaowei Wang and Jin Li and Yuqiu Qian and Jiachun Du and Wenqing Lin and Wei Yang',
    title: 'Hiding Numerical Vectors in Local Private and Shuffled Messages',
    venue: 'International Joint Conference on Artificial Intelligence (IJCAI)',
    year: 2021,
  },
  balcer2020: {
    kind: 'inproceedings',
    author: 'Victor Balcer and Albert Cheu',
    title: 'Separating Local and Shuffled Differential Privacy via Histograms',
    venue: 'Conference on Information-Theoretic Cryptography (ITC)',
    year: 2020,
  },
  li2023: {
    kind: 'article',
    author:
      'Xiaochen Li and Weiran Liu and Hanwen Feng and Kunzhe Huang and Yuke Hu and Jinfei Liu and Kui Ren and Zhan Qin',
    title: 'Privacy Enhancement via Dummy Points in the Shuffle Model',
    venue: 'IEEE Transactions on Dependable and Secure Computing',
    year: 2023,
  },
  wang2025segmented: {
    kind: 'misc',
    author:
      'Shaowei Wang and Hongqiao Chen and Sufen Zeng and Ruilin Yang and Hui Jiang and Peigen Ye and Kaiqi Yu and Rundong Mei and Shaozheng Huang and Wei Yang and Bangzhou Xin',
    title: 'Segmented Private Data Aggregation in the Multi-message Shuffle Model',
    venue: 'Preprint',
    year: 2025,
  },
  murakami2025: {
    kind: 'inproceedings',
    author: 'Takao Murakami and Yuichi Sei and Reo Eriguchi',
    title:
      'Augmented Shuffle Protocols for Accurate and Robust Frequency Estimation under Differential Privacy',
    venue: 'IEEE Symposium on Security and Privacy (SP)',
    year: 2025,
    more: { eprint: '2504.07362', archivePrefix: 'arXiv' },
  },
  ghazi2020counting: {
    kind: 'inproceedings',
    author: 'Badih Ghazi and Ravi Kumar and Pasin Manurangsi and Rasmus Pagh',
    title:
      'Private Counting from Anonymous Messages: Near-Optimal Accuracy with Vanishing Communication Overhead',
    venue: 'International Conference on Machine Learning (ICML)',
    year: 2020,
  },
  balle2020summation: {
    kind: 'inproceedings',
    author: "Borja Balle and James Bell and Adri\\`a Gasc\\'on and Kobbi Nissim",
    title: 'Private Summation in the Multi-Message Shuffle Model',
    venue: 'ACM SIGSAC Conference on Computer and Communications Security (CCS)',
    year: 2020,
    more: { eprint: '2002.00817', archivePrefix: 'arXiv' },
  },
  shvets2026: {
    kind: 'misc',
    author: 'Alex Shvets',
    title:
      'Growing Alphabets in Canonical Shuffle Experiments: Likelihood-Ratio Laws, Estimation Bounds, and Low-Budget Equivariant Design',
    venue: 'arXiv:2603.18080',
    year: 2026,
  },
} satisfies Readonly<Record<string, Work>>;

export type CitationKey = keyof typeof WORKS;

const VENUE_FIELD = { article: 'journal', inproceedings: 'booktitle', misc: 'howpublished' } as const;

/**
 * The BibTeX entry of a work.
 * @example bibtex('warner1965').split('\n')[0] // '@article{warner1965,'
 */
export function bibtex(key: CitationKey): string {
  const { kind, author, title, venue, year, more }: Work = WORKS[key];
  const fields = { author, title, [VENUE_FIELD[kind]]: venue, year, ...more };
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  const lines = Object.entries(fields).map(([name, value]) => `  ${name.padEnd(width)} = {${value}}`);
  return `@${kind}{${key},\n${lines.join(',\n')}\n}`;
}
