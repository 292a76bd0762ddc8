/** Those who hear what becomes of a campaign's messages, where a test has no campaigns. */
import type { Outcomes } from 'crier-server/messages/model/campaign-outcomes.ts'

export const noOutcomes: Outcomes = { settled: async () => {} }
