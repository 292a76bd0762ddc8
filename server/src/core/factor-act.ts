/** What asks for it; each begins a sentence. */
export const factorActs = {
  approving: 'Something is approved',
  mandates: 'A mandate is given or changed',
  keys: 'An API key is made',
  exports: 'Data is exported',
  lifting: 'A suppression is lifted',
  limits: 'A limit is raised',
  members: 'Members are changed',
  closing: 'A business is closed',
} as const
export type FactorAct = keyof typeof factorActs
