import { language } from '../../words/texts.ts'

const steps: [seconds: number, unit: string][] = [
  [172_800, 'day'],
  [7_200, 'hour'],
  [120, 'minute'],
]

/** Such as `5 minutes`, in the greatest unit of which there are two or more. */
export function lasting(seconds: number): string {
  const [least, unit] = steps.find(([from]) => seconds >= from) ?? [2, 'second']
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.floor(seconds / (least / 2)))
}

/** Bytes in gigabytes. */
export function size(bytes: number): string {
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'gigabyte',
    maximumFractionDigits: 1,
  })
  return format.format(bytes / 1e9)
}
