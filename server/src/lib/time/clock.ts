/** The only source of time for everything that decides, expires or is stored. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export const seconds = (n: number): number => n * 1000
export const minutes = (n: number): number => n * 60_000
export const hours = (n: number): number => n * 3_600_000
export const days = (n: number): number => n * 86_400_000

export function later(from: Date, milliseconds: number): Date {
  return new Date(from.getTime() + milliseconds)
}
