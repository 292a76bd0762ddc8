/** The page of all settings for operators: docs/operate/settings.md. */
import { settings } from '../../server/src/config/settings.ts'
import { table } from '../markdown.ts'

export const settingsPagePath = 'docs/operate/settings.md'

const escaped = (text: string) => text.replaceAll('|', '\\|')

export function settingsPage(): string {
  const rows = settings.map((setting) => [
    `\`${setting.name}\``,
    escaped(setting.default),
    escaped(setting.meaning),
  ])
  return `# Settings

<!-- search: environment variables configuration reference env -->

Written by \`npm run generate\` from \`server/src/config/settings.ts\`; do not edit it here.

Settings are environment variables, or lines of a \`.env\` file in the folder that the service is
started in; what stands in the environment wins. They are read once, at the start: after a change restart
the service. (The file that \`RELAYS\` names is read again on SIGHUP as well.) A value that does
not parse, or an unknown variable that begins with \`CRIER_\`, stops the start with a line that says what
would be right. \`crier doctor\` names the settings that are set, every one that is wrong, and tries what they
lead to; it prints no password and no key.

Under systemd the lines are in \`/etc/crier/crier.env\`. In containers those that the compose file names are in
\`.env\` beside it, and all others in \`crier.env\` there ([server.md](server.md)): what \`.env\` has besides reaches
no container.

${table(['variable', 'default', 'meaning'], rows)}
`
}
