/** Finds people, campaigns, pages and actions by a part of their name. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { businessesQuery, useBusinessId } from '../api/businesses.ts'
import { api } from '../api/client.ts'
import { useIsOperator } from '../api/operator.ts'
import { Kbd } from '../ui/button.tsx'
import { cx } from '../ui/classes.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { helpWords } from '../words/help.ts'
import { words } from '../words/words.ts'
import { type GuidedSubject, guidedSubjects } from './help.tsx'
import { everyPage, furtherPages, operatorFold, otherPages } from './pages.ts'
import { chooseTheme, themes } from './theme.ts'

interface Command {
  /** What tells two of one name apart; the name itself by default. */
  id?: string
  name: string
  /** What stands behind the name, such as a person’s address. */
  detail?: string | undefined
  icon: IconName
  keys?: string
  /** Further words by which it is found. */
  about?: string
  run: () => void
}

interface PaletteProps {
  open: boolean
  onClose: () => void
  onKeys: () => void
  onGuide: (subject: GuidedSubject) => void
}

export function Palette({ open, onClose, onKeys, onGuide }: PaletteProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-shade" />
        <Base.Popup
          aria-label={words.palette.label}
          className="fixed inset-x-4 top-[12vh] z-40 mx-auto max-w-xl overflow-hidden rounded-xl border border-line bg-raised shadow-pop"
        >
          <Commands {...{ onClose, onKeys, onGuide }} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function useCommands({ onKeys, onGuide }: Pick<PaletteProps, 'onKeys' | 'onGuide'>): Command[] {
  const navigate = useNavigate()
  const current = useBusinessId()
  const { data } = useQuery(businessesQuery)
  const operating = useIsOperator() ? operatorFold.pages : []
  const pages = [...everyPage, ...furtherPages, ...operating]
  const go = (to: string, business = current) => void navigate({ to, params: { business } })
  const others = (data?.businesses ?? []).filter(({ business_id }) => business_id !== current)
  return [
    ...pages.map((page) => ({
      name: words.palette.go(words.nav[page.name]),
      icon: page.icon,
      ...(page.key && { keys: `g ${page.key}` }),
      run: () => go(page.to),
    })),
    ...others.map(({ business_id, name }) => ({
      name: words.palette.switchTo(name),
      icon: 'right' as const,
      run: () => go('/$business', business_id),
    })),
    ...otherPages.map((page) => ({
      name: words.palette.go(words.nav[page.name]),
      icon: page.icon,
      run: () => location.assign(page.href),
    })),
    ...themes.map((theme) => ({
      name: words.palette.theme(words.theme[theme]),
      icon: 'sun' as const,
      run: () => chooseTheme(theme),
    })),
    ...guidedSubjects.map((subject) => ({
      name: words.palette.guide(nameOfSubject(subject)),
      icon: 'help' as const,
      about: helpWords.pages[subject],
      run: () => onGuide(subject),
    })),
    { name: words.keys.title, icon: 'keyboard', keys: '?', run: onKeys },
  ]
}

const nameOfSubject = (subject: GuidedSubject) =>
  subject === 'import' ? helpWords.subjects.import : words.nav[subject]

/** Milliseconds without another letter after which people and campaigns are looked up. */
const pauseMs = 150
/** As many of each kind as fit beside the pages. */
const foundShown = 5

/** People and campaigns whose name or address has the text, from two letters on. */
function useFound(typed: string): Command[] {
  const business_id = useBusinessId()
  const navigate = useNavigate()
  const [q, look] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => look(typed.length > 1 ? typed : ''), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const isAsked = q !== '' && business_id !== ''
  const page = { business_id, q, limit: foundShown }
  const people = useQuery({
    queryKey: ['contact.list', business_id, 'palette', q],
    queryFn: ({ signal }) => api.contact.list(page, { signal }),
    enabled: isAsked,
    placeholderData: (before) => before,
  })
  const campaigns = useQuery({
    queryKey: ['campaign.list', business_id, 'palette', q],
    queryFn: ({ signal }) => api.campaign.list(page, { signal }),
    enabled: isAsked,
    placeholderData: (before) => before,
  })
  if (!isAsked || typed.length < 2) return []
  const params = { business: business_id }
  // Campaigns wait for people, so that what Enter opens does not change when they arrive.
  if (people.isPending) return []
  return [
    ...(people.data?.contacts ?? []).map(({ contact_id, name, email, phone }) => ({
      id: contact_id,
      name: name ?? email ?? phone ?? contact_id,
      detail: name === null ? undefined : (email ?? phone ?? undefined),
      icon: 'people' as const,
      run: () => void navigate({ to: '/$business/contacts', params, search: { open: contact_id } }),
    })),
    ...(campaigns.data?.campaigns ?? []).map(({ campaign_id, name }) => ({
      id: campaign_id,
      name,
      icon: 'campaign' as const,
      run: () =>
        void navigate({
          to: '/$business/campaigns/$campaign',
          params: { ...params, campaign: campaign_id },
        }),
    })),
  ]
}

function Commands({ onClose, onKeys, onGuide }: Omit<PaletteProps, 'open'>) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const wanted = typed.trim().toLowerCase()
  const matching = useCommands({ onKeys, onGuide }).filter(
    ({ name, about }) =>
      name.toLowerCase().includes(wanted) ||
      (wanted.length > 2 && about?.toLowerCase().includes(wanted)),
  )
  // Below the pages, which are there at once.
  const commands = [...matching, ...useFound(typed.trim())]
  const active = Math.min(at, commands.length - 1)

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && commands.length > 0) {
      event.preventDefault()
      setAt((active + step + commands.length) % commands.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      run(commands[active])
    }
  }

  return (
    <>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={commands.length > 0 ? `${id}-${active}` : undefined}
        aria-label={words.palette.label}
        placeholder={words.palette.placeholder}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none"
      />
      <div
        id={id}
        ref={list}
        role="listbox"
        aria-label={words.palette.label}
        className="max-h-80 overflow-y-auto p-1.5"
      >
        {commands.map((command, place) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys.
          <div
            key={command.id ?? command.name}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === active}
            onMouseMove={() => setAt(place)}
            onClick={() => run(command)}
            className={cx(
              'flex h-9 items-center gap-2.5 rounded-md px-2.5 max-sm:h-11',
              place === active && 'bg-hover',
            )}
          >
            <Icon name={command.icon} className="shrink-0 text-muted" />
            <span className="min-w-0 flex-1 truncate">
              {command.id === undefined ? command.name : <bdi>{command.name}</bdi>}
              {command.detail !== undefined && (
                <bdi className="pl-2 text-sm text-muted">{command.detail}</bdi>
              )}
            </span>
            {command.keys?.split(' ').map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </div>
        ))}
      </div>
      {commands.length === 0 && (
        <p role="status" className="px-4 pt-2 pb-5 text-muted">
          {words.palette.nothing}
        </p>
      )}
    </>
  )
}
