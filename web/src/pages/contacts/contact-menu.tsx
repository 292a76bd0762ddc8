/** What is rarely done to one contact. */
import { useMay } from '../../api/businesses.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { contactWords } from '../../words/contacts.ts'
import { words } from '../../words/words.ts'
import type { ContactAct } from './confirm-contact.tsx'

interface ContactMenuProps {
  /** Whether a channel has consent that can be ended. */
  isSubscribed: boolean
  onAsk: (what: ContactAct | 'raw') => void
}

export function ContactMenu({ isSubscribed, onAsk }: ContactMenuProps) {
  const mayEdit = useMay('editor')
  const mayErase = useMay('admin')
  const { drawer, bulk } = contactWords
  if (!mayEdit) return null
  return (
    <Menu align="end" trigger={<IconButton icon="dots" label={words.more} />}>
      {isSubscribed && (
        <MenuItem icon="message" onClick={() => onAsk('unsubscribe')}>
          {bulk.unsubscribe}
        </MenuItem>
      )}
      <MenuItem icon="pause" danger onClick={() => onAsk('suppress')}>
        {drawer.suppress}
      </MenuItem>
      {mayErase && (
        <MenuItem icon="close" danger onClick={() => onAsk('erase')}>
          {drawer.erase}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon="code" onClick={() => onAsk('raw')}>
        {words.developers}
      </MenuItem>
    </Menu>
  )
}
