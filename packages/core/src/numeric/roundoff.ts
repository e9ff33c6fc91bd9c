/**
 * The unit roundoff: the largest relative error of one operation on doubles, which have 53 significant bits
 * and round to the nearest. Bounds count their roundings in it.
 *
 * @example ROUNDOFF // 1.11022e-16
 */
export const ROUNDOFF = 2 ** -53;
