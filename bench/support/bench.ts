/** A bench and its results. */
export interface Figure {
  /** The measured quantity, as shown in the row's first column. */
  name: string
  value: string
  /** The target, if there is one. */
  target?: string
  met?: boolean
}

export interface Bench {
  /** The name on the command line. */
  name: string
  title: string
  /** How it was measured, for the reader of the table. */
  method: string
  /** Reports its current step line by line, and returns its figures. */
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

/** `16,204`, `12.5`, `0.48`: only significant digits. */
export function number(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-GB', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}
