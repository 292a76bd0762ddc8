/** What is rarely done to one contact. */
import { useMay } from '../../api/businesses.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { contactWords } from '../../words/contacts.ts'
import { words } from '../../words/words.ts'
import type { ContactAct } from './confirm-contact.tsx'

export function ContactMenu({ onAsk }: { onAsk: (what: ContactAct | 'raw') => void }) {
  const mayEdit = useMay('editor')
  const mayErase = useMay('admin')
  const { drawer } = contactWords
  if (!mayEdit) return null
  return (
    <Menu align="end" trigger={<IconButton icon="dots" label={words.more} />}>
      <MenuItem icon="code" onClick={() => onAsk('raw')}>
        {words.developers}
      </MenuItem>
      <MenuLine />
      <MenuItem icon="pause" danger onClick={() => onAsk('suppress')}>
        {drawer.suppress}
      </MenuItem>
      {mayErase && (
        <MenuItem icon="close" danger onClick={() => onAsk('erase')}>
          {drawer.erase}
        </MenuItem>
      )}
    </Menu>
  )
}
