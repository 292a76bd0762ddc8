/** What a recipient did, as bits of one number, each with the counter it adds to once. */
import type { Settled } from '../../messages/model/campaign-outcomes.ts'

export const marks = {
  opened: 1,
  opened_by_machine: 2,
  clicked: 4,
  clicked_by_machine: 8,
  complained: 16,
  unsubscribed: 32,
} as const
export type Mark = keyof typeof marks

/** What the news sets; 0 where they are about nothing that a person does. */
export function marksOf({ event, machine = false }: Pick<Settled, 'event' | 'machine'>): number {
  if (event === 'opened') return machine ? marks.opened_by_machine : marks.opened
  if (event === 'clicked') return machine ? marks.clicked_by_machine : marks.clicked
  return event === 'complained' || event === 'unsubscribed' ? marks[event] : 0
}

/** The names of those that are new. */
export function newMarks(had: number, has: number): Mark[] {
  const names = Object.keys(marks) as Mark[]
  return names.filter((name) => (has & ~had & marks[name]) !== 0)
}
