/** The columns that sweeps of threats have, one for each field of `threats`. */
export const THREAT_COLUMNS = ['colluding', 'dropout', 'poisoning'] as const;

/** The columns of what local budgets follow from. */
export const TARGET_COLUMNS = ['targetEpsilon', 'budgets'] as const;

/** The column of what calibrates protocols, in runs that say so. */
export const ACCOUNTING_COLUMN = 'privacyAccounting';
