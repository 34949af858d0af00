/** Features that a plan's head names; the rest is a number (specification §2). */
export const FEATURES_MAX = 5
