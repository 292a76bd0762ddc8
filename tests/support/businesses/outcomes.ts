/** Ignores the outcomes of messages, for tests without campaigns. */
import type { Outcomes } from 'crier-server/messages/campaign-outcomes.ts'

export const noOutcomes: Outcomes = { settled: async () => {} }
