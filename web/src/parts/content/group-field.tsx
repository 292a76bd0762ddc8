/** As whom a mail with blocks for some is previewed. */
import { Select } from '../../ui/field.tsx'
import { contentWords } from '../../words/content.ts'
import type { Group } from '../blocks/groups.ts'
import { filterInWords } from '../filter/filter-words.ts'
import type { Filter } from '../filter/model.ts'

interface GroupFieldProps {
  filters: readonly Filter[]
  group: Group | undefined
  onChange: (group: Group | undefined) => void
}

export function GroupField({ filters, group, onChange }: GroupFieldProps) {
  const w = contentWords.groups
  const groups = filters.flatMap((filter) => [
    { filter, sees: true },
    { filter, sees: false },
  ])
  const keyOf = (entry: Group) => JSON.stringify(entry)
  const found = group && groups.find((entry) => keyOf(entry) === keyOf(group))
  return (
    <Select
      label={w.title}
      value={found ? keyOf(found) : ''}
      onChange={({ target }) => onChange(groups.find((entry) => keyOf(entry) === target.value))}
      options={[
        ['', w.all],
        ...groups.map((entry) => {
          const sentence = filterInWords(entry.filter)
          return [keyOf(entry), entry.sees ? w.sees(sentence) : w.misses(sentence)] as const
        }),
      ]}
    />
  )
}
