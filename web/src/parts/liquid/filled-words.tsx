/** A subject or a name with its Liquid in words, as a list shows it. */
import { useBusiness } from '../../api/businesses.ts'
import { partsOf } from './chips.ts'

/** The words alone, for a title or a label. */
export function useFilledWords(): (text: string) => string {
  const name = useBusiness()?.name ?? ''
  return (text) =>
    partsOf(text, name)
      .map((part) => part.text)
      .join('')
}

export function FilledWords({ text }: { text: string }) {
  const name = useBusiness()?.name ?? ''
  return partsOf(text, name).map((part, place) =>
    part.isField ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their places.
      <bdi key={place} className="rounded bg-accent-ground px-1 text-link">
        {part.text}
      </bdi>
    ) : (
      part.text
    ),
  )
}
