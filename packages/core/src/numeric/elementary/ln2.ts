/** log(2) in two parts: whole multiples of the first up to 2^20 are exact. */
export const LN2_HIGH = 0.69314718036912381649;
export const LN2_LOW = 1.90821492927058770002e-10;
