/** Properties draw the same cases in every run; PROPERTY_SEED (a whole number) draws others. */
export const PROPERTY_SEED = Number(process.env['PROPERTY_SEED'] ?? 1)
