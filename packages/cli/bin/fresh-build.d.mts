export function buildIsFresh(packages: string): boolean;
export function bundlesAreFresh(packages: string): boolean;
export function lastChange(path: string): number;
