import type { gates as english } from './en.ts'

const list = (value: unknown) =>
  Array.isArray(value) ? value.map(String).join(', ') : String(value)
const quoted = (value: unknown) =>
  (Array.isArray(value) ? value : [value]).map((entry) => `« ${String(entry)} »`).join(', ')

const features: Record<string, string> = {
  'css-border-radius': 'les coins arrondis',
  'css-box-shadow': 'les ombres',
  'css-text-shadow': 'les ombres du texte',
  'css-opacity': 'la transparence',
  'css-animation': 'les animations',
  'css-filter': 'les filtres',
  'css-list-style-image': 'les images comme puces',
  'css-at-font-face': 'vos propres polices',
  'css-linear-gradient': 'les dégradés',
  'css-radial-gradient': 'les dégradés ronds',
  'css-background-image': 'les images d’arrière-plan',
  'css-column-count': 'les colonnes de texte',
  'css-variables': 'les variables CSS',
  'css-display-grid': 'les grilles',
  'html-video': 'les vidéos',
  'html-audio': 'le son',
  'html-svg': 'le SVG dans le HTML',
  'html-hidden': 'l’attribut hidden',
  'image-svg': 'les images SVG',
  'image-webp': 'les images WebP',
  'image-avif': 'les images AVIF',
  'image-heif': 'les images HEIC',
  'image-tiff': 'les images TIFF',
  'image-mp4': 'les films comme images',
  'image-base64': 'les images dans le HTML',
}

const excluded: Record<string, string> = {
  no_email: 'sans adresse e-mail',
  no_phone: 'sans numéro de téléphone',
  not_subscribed: 'non inscrits',
  invalid: 'avec une adresse invalide',
  suppressed: 'bloqués',
  sent_recently: 'ont reçu une campagne récemment',
  capped: 'ont reçu autant que permis',
}

const faults: Record<string, string> = {
  'cannot be asked from here': 'ne peut pas être vérifié d’ici',
  'has a host name that does not exist': 'a un domaine qui n’existe pas',
  'takes no connection': 'refuse la connexion',
  'has no valid certificate': 'n’a pas de certificat valide',
  'does not speak HTTP': 'ne répond pas en HTTP',
  'does not answer': 'ne répond pas',
}

export const gates: typeof english = {
  passed: (count) => (count === 1 ? '1 contrôle réussi' : `${count} contrôles réussis`),
  checks: {
    audience: { name: 'Destinataires', fine: 'Il y a des destinataires.' },
    sender: { name: 'Expéditeur', fine: 'Cette adresse peut servir d’expéditeur.' },
    unsubscribe_link: {
      name: 'Lien de désinscription',
      fine: 'Chaque e-mail contient un lien de désinscription, aussi pour le bouton des messageries.',
    },
    postal_address: {
      name: 'Adresse postale',
      fine: 'L’adresse postale figure dans le pied de page.',
    },
    consent: { name: 'Consentement', fine: 'Tous les destinataires ont donné leur accord.' },
    permission: {
      name: 'Nouvel accord',
      fine: 'Un oui est enregistré, et personne n’est sollicité deux fois. Sans oui après 21 jours, la personne est désinscrite des e-mails.',
    },
    quota: { name: 'Quota', fine: 'Le quota suffit pour tous les destinataires.' },
    content: { name: 'Contenu', fine: 'Le contenu est complet.' },
    blocks: { name: 'Blocs conditionnels', fine: 'Tous les destinataires voient du contenu.' },
    subject: { name: 'Objet', fine: 'L’objet est complet.' },
    variables: {
      name: 'Champs de fusion',
      fine: 'Chaque champ a une valeur ou un texte de remplacement.',
    },
    size: { name: 'Taille', fine: 'L’e-mail n’est pas trop lourd.' },
    accessibility: {
      name: 'Accessibilité',
      fine: 'Les images ont un texte alternatif, et les titres sont bien ordonnés.',
    },
    mail_programs: {
      name: 'Messageries',
      fine: 'Les messageries affichent tout le contenu.',
    },
    links: { name: 'Liens', fine: 'Les liens vérifiés fonctionnent.' },
    segments: { name: 'Longueur du SMS', fine: 'La longueur du SMS convient.' },
    stop_word: { name: 'STOP', fine: 'Le SMS indique la désinscription par STOP.' },
  },
  findings: {
    audience_gone: () => 'Un segment de cette campagne n’existe plus.',
    audience_wish: ({ wish }) =>
      `Elle devait aller à « ${String(wish)} », et aucune étiquette de vos contacts n’y correspond.`,
    leads_nowhere: () =>
      'Le lien de désinscription ne serait pas joignable, car cette installation n’a pas d’adresse https publique.',
    unsubscribe_hidden: () =>
      'Le lien de désinscription à la fin est avalé par une partie du HTML qui n’est pas fermée.',
    no_postal_address: () =>
      'La publicité doit donner l’adresse postale de l’expéditeur, et cette entreprise n’en a pas.',
    nobody_agreed: ({ everybody }) =>
      `Aucune des ${String(everybody)} personnes choisies n’a consenti et ne peut recevoir de message.`,
    agreed: ({ agreed, everybody }) =>
      `${String(agreed)} sur ${String(everybody)} ont consenti et peuvent recevoir un message.`,
    permission_is_advertising: ({ excluded: rest }) =>
      `Un e-mail qui demande l’autorisation est aussi de la publicité : il ne va qu’aux personnes dont le consentement est enregistré ou qui sont clientes. Les autres ne le reçoivent pas : ${countsOf(rest)}.`,
    no_answer_link: () =>
      'Il demande l’autorisation, et rien n’y mène à la page qui enregistre la réponse.',
    asked_recently: ({ recipients, months }) =>
      `L’autorisation a déjà été demandée à ${String(recipients)} des destinataires ces ${String(months)} derniers mois.`,
    no_room: ({ out, of }) =>
      `Le quota de ce mois ne suffit pas pour ${String(out)} sur ${String(of)} : ils ne reçoivent rien.`,
    no_room_in_month: ({ channel, needs, left }) =>
      `D’après les 30 derniers jours, ce seraient ${String(needs)} ${channel === 'sms' ? 'SMS' : 'e-mails'} par mois. Le quota de ce mois en permet encore ${String(left)}.`,
    no_room_in_warm_up: ({ most, room }) =>
      `L’expéditeur est encore en montée en charge : jusqu’à ${String(most)} e-mails seraient dus le même jour, et un fournisseur en reçoit au plus ${String(room)} aujourd’hui. Les autres attendent.`,
    no_room_under_cap: ({ messages, days, max }) =>
      `${String(messages)} de ses messages tombent en ${Number(days) === 1 ? 'un jour' : `${String(days)} jours`}, et une personne en reçoit au plus ${String(max)}. Les autres attendent ou sont omis.`,
    empty_slots: ({ slots }) => `Il manque encore ces informations : ${quoted(slots)}.`,
    empty_slots_of_template: ({ slots, others }) =>
      `Il manque des informations dans un e-mail : ${quoted(slots)}.${Number(others) > 0 ? ` Autres e-mails incomplets : ${String(others)}.` : ''}`,
    foreign_fields: ({ fields }) =>
      `Ces champs d’un autre service seraient envoyés tels quels : ${quoted(fields)}. Choisissez plutôt des champs dans le menu.`,
    starter_words: ({ words }) => `Il reste des textes d’exemple : ${quoted(words)}.`,
    bare_greeting: ({ line }) =>
      `Pour au moins une personne, la formule d’appel devient « ${String(line)} ».`,
    comes_out_empty: () => 'Sans valeurs, l’objet ou le message reste vide.',
    block_seen: ({ place, seen, all }) =>
      `Bloc ${String(place)} : vu par ${String(seen)} sur ${String(all)}.`,
    sees_nothing: ({ people }) => `Destinataires qui ne verraient aucun bloc : ${String(people)}.`,
    block_unseen: ({ count }) => `Blocs que personne ne verrait : ${String(count)}.`,
    no_action: ({ people }) =>
      `Destinataires qui ne verraient ni bouton ni lien : ${String(people)}.`,
    subject_open: ({ subject }) =>
      `L’objet s’arrête au milieu d’une phrase : « ${String(subject)} ».`,
    empty_for_all: ({ name }) => `Le champ {{ ${String(name)} }} est vide pour tout le monde.`,
    empty_for_some: ({ name, count, of }) =>
      `Le champ {{ ${String(name)} }} est vide pour ${String(count)} sur ${String(of)}.`,
    not_provided: ({ names }) => `Ces champs n’ont jamais de valeur : ${list(names)}.`,
    too_large: ({ kb, most }) =>
      `L’e-mail fait jusqu’à ${String(kb)} ko de HTML. Gmail masque ce qui dépasse ${String(most)} ko, y compris le lien de désinscription.`,
    images_without_alt: ({ count }) =>
      Number(count) === 1
        ? 'Une image n’a pas de texte alternatif.'
        : `${String(count)} images n’ont pas de texte alternatif.`,
    several_titles: ({ count }) =>
      `Il y a ${String(count)} titres de premier niveau. N’en gardez qu’un.`,
    level_skipped: ({ level }) =>
      `Avant un titre de niveau ${String(level)}, il manque un titre du niveau supérieur.`,
    dropped_parts: ({ parts }) =>
      `Les messageries suppriment ou bloquent ${String(parts)} et prennent un tel e-mail pour une attaque. Mettez plutôt un lien vers une page.`,
    comment_open: () =>
      'Un commentaire pour Outlook n’a pas de fin ou pas de début : chaque <!--[if mso]> demande son <![endif]-->.',
    vml_open: ({ shape }) =>
      `Le VML pour Outlook est incomplet : <${String(shape)}> n’est pas fermé où il faut.`,
    tables_deep: ({ depth, most }) =>
      `Des tableaux sont imbriqués sur ${String(depth)} niveaux ; Outlook pour Windows n’en affiche bien que ${String(most)}.`,
    too_wide: ({ name, width, most }) =>
      `Un <${String(name)}> fait ${String(width)} pixels de large et est coupé sur les téléphones. Écrivez max-width: ${String(most)}px.`,
    hard_to_read: ({ words, contrast, least }) =>
      `« ${String(words)} » est difficile à lire : le contraste est de ${String(contrast)}, il en faut ${String(least)}.`,
    ignored: ({ programs, feature, words }) =>
      `D’après les données de caniemail (sans essai réel), ${list(programs)} ignore : ${features[String(feature)] ?? String(words)}.`,
    incomplete_links: ({ urls }) =>
      `Des liens sans adresse complète ne s’ouvrent pas depuis une messagerie : ${quoted(urls)}. Écrivez-les avec https:// et le domaine.`,
    incomplete_images: ({ urls }) =>
      `Des images sans adresse complète ne s’affichent pas dans un e-mail : ${quoted(urls)}. Écrivez-les avec https:// et le domaine.`,
    dead_link: ({ url, fault }) => `${String(url)} ${faultOf(String(fault))}.`,
    links_checked: ({ links, checked }) =>
      `${String(checked)} liens sur ${String(links)} ont été vérifiés.`,
    links_unchecked: () =>
      'Tous les liens n’ont pas été vérifiés : il y en avait trop, ou un serveur est lent. Réessayez dans une minute.',
    foreign_links: ({ links }) =>
      `Liens non vérifiés, car une application a écrit ceci : ${String(links)}. Les vérifier pourrait révéler à leurs serveurs ce que l’application a lu.`,
    personal_hosts: ({ hosts }) =>
      `Des liens ou des images renseignent ${list(hosts)} sur chaque destinataire.`,
    parts: ({ usual, most, wide }) =>
      `Le SMS compte ${String(usual)} parties, au plus ${String(most)}. Chaque partie est payante.${wide === true ? ' Certains caractères ne sont pas dans GSM-7, une partie en contient donc moins.' : ''}`,
    no_stop: () => 'Le SMS ne dit pas comment se désinscrire.',
  },
  advice: {
    audience: 'Choisissez les destinataires à la première étape.',
    sender: 'La page « Domaines » indique ce qui manque.',
    unsubscribe_link:
      'Fermez les commentaires, styles et titres du HTML, ou ajoutez un lien de désinscription.',
    postal_address: 'Ajoutez-la dans les paramètres de l’entreprise.',
    consent:
      'Choisissez d’autres destinataires, ou enregistrez les accords donnés dans les contacts.',
    permission:
      'Liez le bouton à la page de préférences, et excluez les personnes sollicitées au cours des six derniers mois.',
    quota: 'Choisissez moins de destinataires, attendez le mois prochain ou changez d’offre.',
    content: 'Complétez ce qui manque, ou supprimez le bloc.',
    blocks: 'Vérifiez qui voit chaque bloc.',
    subject: 'Complétez l’objet.',
    variables: 'Sélectionnez le champ dans le contenu, et donnez-lui un texte par défaut.',
    size: 'Raccourcissez l’e-mail.',
    accessibility: 'Ajoutez les textes alternatifs manquants, et respectez l’ordre des titres.',
    mail_programs: 'Remplacez ce que certaines messageries n’affichent pas.',
    links: 'Vérifiez ces liens dans le contenu.',
    segments: 'Raccourcissez le SMS.',
    stop_word: 'Ajoutez « STOP pour se désinscrire ».',
  },
}

function faultOf(fault: string): string {
  const status = /^answers (\d{3})$/.exec(fault)?.[1]
  return status === undefined ? (faults[fault] ?? fault) : `répond ${status}`
}

function countsOf(rest: unknown): string {
  const entries = Array.isArray(rest) ? (rest as { reason: string; count: number }[]) : []
  return entries.map(({ reason, count }) => `${count} ${excluded[reason] ?? reason}`).join(', ')
}
