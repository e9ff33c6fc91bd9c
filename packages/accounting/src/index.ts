/** @module Privacy accounting: how much differential privacy a shuffled protocol gives, and on what grounds. */

// Profiles: delta as a function of epsilon, and back
export { epsilonAtDelta, type EpsilonSearch, type PrivacyProfile } from './privacy-profile.ts';
