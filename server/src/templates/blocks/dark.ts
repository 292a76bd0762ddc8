/** The colours of generated mail in dark mode. */
import { mendedColour } from '../../accounts/settings/contrast.ts'

const dark = {
  page: '#17171b',
  card: '#232329',
  text: '#ececf1',
  muted: '#b4b4c0',
  ground: '#2f2f38',
}

/** Of links and words in the colour of a business that has none. */
const usualAccent = '#b9c0ff'

type DarkPart = [part: string, property: string, colour: string]

/** The colours of each part of a mail in dark mode. The footer may be the service's own. */
const darkParts = (accent: string): DarkPart[] => [
  ['.page', 'background-color', dark.page],
  // MJML sets the class on the body, and the page's colour on the element within it as well.
  ['.page > div', 'background-color', dark.page],
  ['.card', 'background-color', dark.card],
  ['.card > table', 'background-color', dark.card],
  ['.card .ground', 'background-color', dark.ground],
  ['.card .ground > table', 'background-color', dark.ground],
  ['.card div', 'color', dark.text],
  // The words of pictures that are blocked.
  ['.card img', 'color', dark.text],
  ['.card a.link', 'color', accent],
  ['.card span.accent', 'color', accent],
  ['.card blockquote', 'border-color', '#5a5a65'],
  ['.card .rule p', 'border-color', '#46464f'],
  ['.card .code td', 'border-color', accent],
  ['.card .crier-receipt th', 'border-color', '#46464f'],
  ['.card .crier-receipt td', 'border-color', '#46464f'],
  ['.muted div', 'color', dark.muted],
  ['.muted a', 'color', dark.muted],
  ['.crier-footer', 'color', dark.muted],
  ['.crier-footer a', 'color', dark.muted],
]

/**
 * A separate style sheet that is not inlined into the elements, where it would apply in light mode
 * too. Outlook.com supports no media query for dark mode. It marks the page instead: with
 * `data-ogsc` where it changes text colours, and with `data-ogsb` for background colours. The colour
 * of the business is made as light as it has to be.
 */
export function darkStyles(colour: string | null): string {
  const parts = darkParts(colour === null ? usualAccent : mendedColour(colour, dark.ground))
  return [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    `@media (prefers-color-scheme:dark){body{background-color:${dark.page}!important}${parts.map((part) => rule('', part)).join('')}}`,
    ...parts.map((part) => {
      return rule(part[1] === 'background-color' ? '[data-ogsb] ' : '[data-ogsc] ', part)
    }),
  ].join('\n')
}

function rule(within: string, [part, property, colour]: DarkPart): string {
  return `${within}${part}{${property}:${colour}!important}`
}

/** Shows the logo for dark mode in place of the other. */
export const darkLogoStyles = [
  '\n@media (prefers-color-scheme:dark){.logo-light{display:none!important}.logo-dark{display:inline-block!important}}',
  '[data-ogsc] .logo-light{display:none!important}',
  '[data-ogsc] .logo-dark{display:inline-block!important}',
].join('\n')
