/** What a bench is and what it gives. */
export interface Figure {
  /** What was measured, as the row's first column says it. */
  name: string
  value: string
  /** What is asked of it, where something is. */
  target?: string
  met?: boolean
}

export interface Bench {
  /** As named on the command line. */
  name: string
  title: string
  /** How it was measured, for the reader of the table. */
  method: string
  /** Tells what it does now, line by line, and gives its figures. */
  run(tell: (line: string) => void): Promise<Figure[]>
}

export function atLeast(name: string, value: number, target: number, unit = ''): Figure {
  return {
    name,
    value: `${number(value)}${unit}`,
    target: `at least ${target}${unit}`,
    met: value >= target,
  }
}

export function atMost(name: string, value: number, target: number, unit = ''): Figure {
  return {
    name,
    value: `${number(value)}${unit}`,
    target: `at most ${target}${unit}`,
    met: value <= target,
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** `16,204`, `12.5`, `0.48`: as many digits as mean something. */
export function number(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-GB', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}
