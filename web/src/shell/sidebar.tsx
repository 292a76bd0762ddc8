import { Link, useRouterState } from '@tanstack/react-router'
import { Fragment, useEffect, useRef, useState } from 'react'
import { useBusinessId } from '../api/businesses.ts'
import { useIsOperator } from '../api/operator.ts'
import { IconButton, Kbd } from '../ui/button.tsx'
import { cx } from '../ui/classes.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { chooseLanguage, type Language, language, languageNames } from '../words/texts.ts'
import { words } from '../words/words.ts'
import { DemoLabel } from './demo-label.tsx'
import type { Overlay } from './overlay.ts'
import {
  type MenuFold,
  menuPlaces,
  operatorFold,
  otherPages,
  type PageEntry,
  settingsFold,
} from './pages.ts'
import { Switcher } from './switcher.tsx'
import { chooseTheme, chosenTheme, themes } from './theme.ts'

/** Shown beside the page. On a phone it is a drawer: `overlays.tsx`. */
export function Sidebar({ onShow }: { onShow: (what: Overlay) => void }) {
  return (
    <aside className="flex w-56 shrink-0 flex-col gap-3 p-2 max-sm:hidden">
      <Switcher onOpen={() => onShow('businesses')} />
      <DemoLabel />
      <PaletteButton onPalette={() => onShow('palette')} />
      <div className="relative -m-1 min-h-0 flex-1 overflow-y-auto p-1">
        <Pages />
      </div>
      <Foot onKeys={() => onShow('keys')} />
    </aside>
  )
}

function PaletteButton({ onPalette }: { onPalette: () => void }) {
  return (
    <button
      type="button"
      onClick={onPalette}
      className="flex h-8 shrink-0 items-center gap-2 rounded-md border border-line bg-surface px-2 text-muted shadow-flat hover:text-ink"
    >
      <Icon name="search" className="size-3.5" />
      <span className="flex-1 truncate text-left">{words.palette.open}</span>
      <Kbd>
        {/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : `${words.keys.names.control} K`}
      </Kbd>
    </button>
  )
}

const line =
  'flex h-7 items-center gap-2 rounded-md px-2 font-medium text-muted hover:bg-hover hover:text-ink max-sm:h-10'

export function Pages() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const business = useBusinessId()
  const nav = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another page is open.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [path])
  const [, below = ''] = path.split(business)
  const isOpen = ({ to }: PageEntry) => {
    const own = to.slice('/$business'.length)
    return own === '' ? below === '' : below === own || below.startsWith(`${own}/`)
  }
  const folds = useIsOperator() ? [settingsFold, operatorFold] : [settingsFold]
  return (
    <nav ref={nav} aria-label={words.nav.label} className="grid gap-3">
      <div className="grid gap-px">
        {menuPlaces.map((place) => (
          <Fragment key={place.name}>
            <PageLink page={place} />
            {[place, ...(place.within ?? [])].some(isOpen) &&
              place.within?.map((page) => <PageLink key={page.name} page={page} isWithin />)}
          </Fragment>
        ))}
      </div>
      {folds.map((fold) => (
        <Fold key={fold.name} fold={fold} isOpen={fold.pages.some(isOpen)} />
      ))}
      {otherPages.map((page) => (
        <a key={page.name} href={page.href} className={line}>
          <PageLine icon={page.icon} name={words.nav[page.name]} />
        </a>
      ))}
    </nav>
  )
}

/** Its pages are shown while one of them is open, until somebody folds or unfolds it. */
function Fold({ fold, isOpen }: { fold: MenuFold; isOpen: boolean }) {
  const [chosen, choose] = useState<boolean>()
  const isShown = chosen ?? isOpen
  return (
    <div className="grid gap-px">
      <button
        type="button"
        aria-expanded={isShown}
        className={cx(line, 'w-full text-left')}
        onClick={() => choose(!isShown)}
      >
        <PageLine icon={fold.icon} name={words.nav.groups[fold.name]} />
        <Icon name={isShown ? 'up' : 'down'} className="ml-auto size-3.5" />
      </button>
      {isShown && fold.pages.map((page) => <PageLink key={page.name} page={page} isWithin />)}
    </div>
  )
}

function PageLink({ page, isWithin }: { page: PageEntry; isWithin?: boolean }) {
  const business = useBusinessId()
  return (
    <Link
      to={page.to}
      params={{ business }}
      activeOptions={{ exact: page.name === 'home', includeSearch: false }}
      className={cx(line, isWithin && 'ml-4')}
      activeProps={{ className: 'bg-hover text-ink!', 'aria-current': 'page' }}
    >
      <PageLine icon={page.icon} name={words.nav[page.name]} />
    </Link>
  )
}

function PageLine({ icon, name }: { icon: IconName; name: string }) {
  return (
    <>
      <Icon name={icon} />
      <span className="truncate">{name}</span>
    </>
  )
}

const themeIcons = { system: 'screen', light: 'sun', dark: 'moon' } as const

export function Foot({ onKeys }: { onKeys: () => void }) {
  const [theme, setTheme] = useState(chosenTheme)
  const choose = (chosen: typeof theme) => {
    chooseTheme(chosen)
    setTheme(chosen)
  }
  return (
    <div className="mt-auto flex items-center gap-1 pt-2">
      <fieldset className="flex rounded-md border border-line bg-surface p-px">
        <legend className="sr-only">{words.theme.label}</legend>
        {themes.map((word) => (
          <IconButton
            key={word}
            icon={themeIcons[word]}
            label={words.theme[word]}
            aria-pressed={word === theme}
            onClick={() => choose(word)}
            className={cx('size-6! max-sm:size-9!', word === theme && 'bg-hover text-ink')}
          />
        ))}
      </fieldset>
      <select
        aria-label={words.language}
        value={language}
        onChange={({ target }) => chooseLanguage(target.value as Language)}
        className="ml-auto min-w-0 rounded-md bg-transparent py-1 text-sm text-muted hover:bg-hover hover:text-ink"
      >
        {Object.entries(languageNames).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      <IconButton icon="keyboard" label={words.keys.title} onClick={onKeys} />
    </div>
  )
}
