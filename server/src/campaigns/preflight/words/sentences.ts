/** What the checks found, said in the reader's language by the app and by the page of a campaign. */
import type { gates as english } from './en.ts'

export type CheckWords = typeof english

/** The finding of `gates/gate.ts`, whose types the app does not read. */
interface Finding {
  finding: string
  [value: string]: unknown
}

/** What a refusal within a finding says; undefined where there are no words for it. */
type RefusalSentence = (refusal: Record<string, unknown>) => string | undefined

/** A sentence for each finding, none of them twice; undefined where one has no words. */
export function sentencesOf(
  findings: readonly Finding[],
  { findings: words }: Pick<CheckWords, 'findings'>,
  ofRefusal: RefusalSentence = () => undefined,
): string[] | undefined {
  if (findings.length === 0) return undefined
  const sentences = findings.flatMap(({ finding, ...values }) => {
    const sentence =
      finding === 'refused'
        ? ofRefusal(values['refusal'] as Record<string, unknown>)
        : words[finding]?.(withSlotNames(values))
    return sentence ?? []
  })
  return sentences.length === findings.length ? [...new Set(sentences)] : undefined
}

/** `[[Link-to-your-shop]]` as a person would call it: Link to your shop. */
function withSlotNames(values: Record<string, unknown>): Record<string, unknown> {
  const { slots } = values
  if (!Array.isArray(slots)) return values
  const names = slots.map((slot) =>
    String(slot)
      .replaceAll(/^\[\[|\]\]$/g, '')
      .replaceAll(/[-_]/g, ' '),
  )
  return { ...values, slots: names }
}
