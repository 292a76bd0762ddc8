import { number } from '../../support/bench.ts'

/** Returns a rate per second, measured over this many seconds. */
export type Contender = (seconds: number) => Promise<number>

export interface RoundsOptions {
  rounds: number
  seconds: number
  tell(line: string): void
}

/**
 * Runs every contender once in each round, one at a time. Another one begins each round, so that
 * none always has the warmest machine. Each is warmed up for a second first.
 */
export async function alternate<Name extends string>(
  contenders: Record<Name, Contender>,
  { rounds, seconds, tell }: RoundsOptions,
): Promise<Record<Name, number>[]> {
  const names = Object.keys(contenders) as Name[]
  for (const name of names) await contenders[name](1)
  const all: Record<Name, number>[] = []
  for (let i = 0; i < rounds; i++) {
    const round: Partial<Record<Name, number>> = {}
    for (const turn of names.keys()) {
      const name = names[(i + turn) % names.length] as Name
      round[name] = await contenders[name](seconds)
    }
    const said = names.map((name) => `${name} ${number(round[name] ?? 0)}/s`)
    tell(`round ${i + 1} of ${rounds}: ${said.join(', ')}`)
    all.push(round as Record<Name, number>)
  }
  return all
}
