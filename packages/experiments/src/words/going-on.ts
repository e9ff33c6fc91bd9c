/** How the user goes on with a run that was stopped, unless another command began it. */
export const WITH_RESUME = 'add --resume to the same command, without --force, to go on';
