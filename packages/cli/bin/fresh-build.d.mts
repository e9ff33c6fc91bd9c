export function buildIsFresh(packages: string): boolean;
