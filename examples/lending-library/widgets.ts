import { shelfCard } from '#examples/lending-library/widgets/shelf-card/shelf-card.widget.ts'
import { button } from '#widgets/button/button.widget.ts'
import { callout } from '#widgets/callout/callout.widget.ts'
import { empty } from '#widgets/empty/empty.widget.ts'
import { form } from '#widgets/form/form.widget.ts'
import { integerField } from '#widgets/integer-field/integer-field.widget.ts'
import { list } from '#widgets/list/list.widget.ts'
import { navBar } from '#widgets/nav-bar/nav-bar.widget.ts'
import { page } from '#widgets/page/page.widget.ts'
import { search } from '#widgets/search/search.widget.ts'
import { tabBar } from '#widgets/tab-bar/tab-bar.widget.ts'
import { text } from '#widgets/text/text.widget.ts'
import { textField } from '#widgets/text-field/text-field.widget.ts'

/** The widgets that the documents of this app name. */
export const widgets = [shelfCard, button, callout, empty, form, integerField, list, navBar, page, search, tabBar, text, textField]
