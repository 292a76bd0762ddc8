/** The values that this business can fill in, with how many contacts have each. */
import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { canvasWords } from '../../words/canvas.ts'
import { number } from '../../words/words.ts'
import { codeOf, nameOfField } from '../liquid/chips.ts'

/** Fields that every contact may have and that a mail says. Others, such as dates, are for filters. */
const spoken = ['first_name', 'last_name', 'name', 'email', 'phone', 'language']

interface FieldMenuProps {
  onField: (code: string) => void
  /** The id of the label of the only field for which it is. */
  of?: string
  /** What this mail has beside contacts and the business, such as `item.title`. */
  ownPaths?: readonly string[] | undefined
}

export function FieldMenu({ onField, of, ownPaths = [] }: FieldMenuProps) {
  const business_id = useBusinessId()
  const w = canvasWords.fields
  const { data } = useQuery({
    queryKey: ['contact.fields', business_id],
    queryFn: ({ signal }) => api.contact.fields({ business_id }, { signal }),
    staleTime: 60_000,
  })
  const own = spoken.flatMap((name) => data?.built_in.filter(({ field }) => field === name) ?? [])
  const paths = [
    ...ownPaths.map((path) => ({ path, contacts: undefined })),
    ...own.map(({ field, contacts }) => ({ path: `contact.${field}`, contacts })),
    ...(data?.fields ?? [])
      .filter(({ field }) => field.startsWith('attributes.'))
      .slice(0, 30)
      .map(({ field, contacts }) => ({ path: `contact.${field}`, contacts })),
    { path: 'business.name', contacts: undefined },
  ]
  return (
    <Menu
      trigger={
        <Button icon="person" look="quiet" aria-describedby={of}>
          {w.insert}
        </Button>
      }
    >
      {paths.map(({ path, contacts }) => (
        <MenuItem
          key={path}
          onClick={() => {
            const isName = path.startsWith('contact.') && path.endsWith('name')
            // After the menu has given the focus back.
            setTimeout(() => onField(codeOf({ path, fallback: isName ? w.there : '' })), 50)
          }}
          detail={
            typeof contacts === 'number' && (
              <span className="text-sm text-muted">{w.contacts(number(contacts))}</span>
            )
          }
        >
          <bdi>{nameOfField(path)}</bdi>
        </MenuItem>
      ))}
    </Menu>
  )
}
