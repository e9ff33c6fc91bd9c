/** Where the published bounds come from, as BibTeX. */
export type CitationKey = keyof typeof citations;

export const citations = {
  efmrtt2019: `@inproceedings{efmrtt2019,
  author    = {\\'Ulfar Erlingsson and Vitaly Feldman and Ilya Mironov and Ananth Raghunathan and Kunal Talwar and Abhradeep Thakurta},
  title     = {Amplification by Shuffling: From Local to Central Differential Privacy via Anonymity},
  booktitle = {Proceedings of the 30th Annual ACM-SIAM Symposium on Discrete Algorithms (SODA)},
  year      = {2019},
  eprint    = {1811.12469},
  archivePrefix = {arXiv}
}`,
  bbgn2019: `@inproceedings{bbgn2019,
  author    = {Borja Balle and James Bell and Adri\\\`a Gasc\\'on and Kobbi Nissim},
  title     = {The Privacy Blanket of the Shuffle Model},
  booktitle = {Advances in Cryptology -- CRYPTO 2019},
  year      = {2019},
  eprint    = {1903.02837},
  archivePrefix = {arXiv}
}`,
  fmt2021: `@inproceedings{fmt2021,
  author    = {Vitaly Feldman and Audra McMillan and Kunal Talwar},
  title     = {Hiding Among the Clones: A Simple and Nearly Optimal Analysis of Privacy Amplification by Shuffling},
  booktitle = {62nd IEEE Annual Symposium on Foundations of Computer Science (FOCS)},
  year      = {2021},
  eprint    = {2012.12803},
  archivePrefix = {arXiv}
}`,
  fmt2023: `@inproceedings{fmt2023,
  author    = {Vitaly Feldman and Audra McMillan and Kunal Talwar},
  title     = {Stronger Privacy Amplification by Shuffling for R\\'enyi and Approximate Differential Privacy},
  booktitle = {Proceedings of the 2023 Annual ACM-SIAM Symposium on Discrete Algorithms (SODA)},
  year      = {2023},
  eprint    = {2208.04591},
  archivePrefix = {arXiv}
}`,
  wang2024: `@article{wang2024,
  author  = {Shaowei Wang and Yun Peng and Jin Li and Zikai Wen and Zhipeng Li and Shiyu Yu and Di Wang and Wei Yang},
  title   = {Privacy Amplification via Shuffling: Unified, Simplified, and Tightened},
  journal = {Proceedings of the VLDB Endowment},
  volume  = {17},
  number  = {8},
  pages   = {1870--1883},
  year    = {2024},
  doi     = {10.14778/3659437.3659444}
}`,
  girgis2021: `@inproceedings{girgis2021,
  author    = {Antonious M. Girgis and Deepesh Data and Suhas Diggavi and Ananda Theertha Suresh and Peter Kairouz},
  title     = {On the R\\'enyi Differential Privacy of the Shuffle Model},
  booktitle = {Proceedings of the 2021 ACM SIGSAC Conference on Computer and Communications Security (CCS)},
  year      = {2021},
  eprint    = {2105.05180},
  archivePrefix = {arXiv}
}`,
} as const;
