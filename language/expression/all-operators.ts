import { computingOperators } from '#language/expression/computing-operators.ts'
import { learn } from '#language/expression/expression.ts'

/** Importing this module makes all operators available. */
learn(computingOperators)
