/** How many mails a domain sends on a day, and words about it: as its owner states them, or the operator. */
import { Input, TextArea } from '../ui/field.tsx'

interface Field {
  label: string
  hint?: string
  value: string
  onChange: (text: string) => void
  fault: string | undefined
}

export function VolumeFields({ perDay, words }: { perDay: Field; words: Field }) {
  return (
    <>
      <Input
        {...perDay}
        required
        type="number"
        min={500}
        max={10_000_000}
        onChange={({ target }) => perDay.onChange(target.value)}
      />
      <TextArea
        {...words}
        rows={2}
        maxLength={500}
        onChange={({ target }) => words.onChange(target.value)}
      />
    </>
  )
}
