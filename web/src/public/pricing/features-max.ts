/** Features that a plan's head names; the rest is a number. */
export const FEATURES_MAX = 5
