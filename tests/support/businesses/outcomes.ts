/** Ignores the outcomes of messages, for tests without campaigns. */
import type { Outcomes } from 'crier-server/messages/model/campaign-outcomes.ts'

export const noOutcomes: Outcomes = { settled: async () => {} }
