/** Seed of the property tests, the same in every run unless PROPERTY_SEED (a whole number) is set. */
export const PROPERTY_SEED = Number(process.env['PROPERTY_SEED'] ?? 1)
