// The words that server and page share, as types. Nothing here runs.

/** @typedef {[number, number]} Cell x and y from the top left */

/**
 * A planner's or a generator's parameter. Planners give their range as text ("auto or 1 to 256").
 * @typedef {object} Parameter
 * @property {string} name
 * @property {string} about
 * @property {string | number | boolean} default
 * @property {string | { whole?: [number, number], words?: string[], decimal?: number }} range
 */

/**
 * @typedef {object} Planner
 * @property {string} name
 * @property {string} about
 * @property {Parameter[]} parameters
 * @property {Record<string, unknown>} [supports]
 * @property {Record<string, unknown>} [guarantees]
 * @property {string} [source]
 */

/** @typedef {{ kind: string, about: string, parameters: Parameter[] }} Generator */

/**
 * @typedef {object} LayerInfo
 * @property {string} name
 * @property {string} about
 * @property {'scalar' | 'arrows' | 'mask'} kind
 * @property {boolean} signed amounts below zero mean something else than those above
 * @property {number} [levels] it can be shown at so many
 */

/**
 * @typedef {object} Info
 * @property {string} version
 * @property {number} protocol
 * @property {Planner[]} planners
 * @property {{ name: string, about: string }[]} builtins
 * @property {Generator[]} generators
 * @property {LayerInfo[]} layers
 * @property {{ cells: number, side: number, units: number, rooms: number, message: number, upload: number, viewers: number, painted: number, ticks: number }} limits
 */

/**
 * A unit of the document: a `[[unit]]` of a scenario file.
 * @typedef {object} DocUnit
 * @property {Cell} start
 * @property {Cell} [goal]
 * @property {Cell[]} [goals]
 * @property {Cell} [patrol]
 * @property {number} [rounds]
 * @property {boolean} [hold]
 * @property {boolean} [explore]
 * @property {boolean} [errands]
 * @property {Cell} [find]
 * @property {number} [priority]
 * @property {number} [period]
 * @property {number} [run]
 * @property {number} [turning]
 * @property {boolean} [turns]
 * @property {string} [heading]
 * @property {number} [body]
 * @property {number} [team]
 * @property {string} [planner]
 */

/** @typedef {Record<string, string | number | boolean | null | undefined>} Keys */

/**
 * @typedef {object} Settings
 * @property {string} [planner]
 * @property {number} [ticks]
 * @property {string} [name]
 * @property {string} [about]
 * @property {number} [seed]
 * @property {number | null} [budget]
 * @property {Keys} [rules]
 * @property {Keys} [terrain]
 * @property {Keys | null} [sight]
 */

/** @typedef {{ at: number, close?: Cell[], open?: Cell[] }} DocEvent */

/** @typedef {{ at: Cell, strength: number, radius: number }} DocSource */

/**
 * @typedef {object} Doc
 * @property {string} toml
 * @property {number} width
 * @property {number} height
 * @property {string[]} rows
 * @property {DocUnit[]} units
 * @property {Settings} settings
 * @property {DocEvent[]} events
 * @property {DocSource[]} sources
 * @property {boolean} directions whether it has a direction map
 * @property {number} undo
 * @property {number} redo
 * @property {{ message: string, line?: number }[]} errors
 */

/**
 * What was done by hand: a command with the tick.
 * @typedef {object} Act
 * @property {string} do
 * @property {number} at
 * @property {Cell[]} [cells]
 * @property {number} [unit]
 * @property {Cell} [cell]
 * @property {unknown} [task]
 * @property {number} [value]
 */

/**
 * @typedef {object} RunState
 * @property {string} planner
 * @property {number} seed
 * @property {number} version of the document that it is a run of
 * @property {number} tick
 * @property {number} last
 * @property {boolean} done
 * @property {number} arrived
 * @property {number} units
 * @property {boolean} [over] it goes no further
 * @property {boolean} [recorded] it is a recording, which can be looked at and not be changed
 * @property {string} [error]
 */

/**
 * @typedef {object} State
 * @property {boolean} playing
 * @property {number} speed
 * @property {number} tick
 * @property {number} last
 * @property {string | null} [file] what the document was opened from or saved as last
 * @property {RunState[]} runs
 */

/**
 * What `inspect` says of a unit.
 * @typedef {object} UnitReport
 * @property {Record<string, unknown>} unit
 * @property {[number, number, number][]} [path]
 * @property {[number, number, number, number][]} [reservations]
 * @property {{ unit: number, at: Cell, text: string }[]} [why]
 * @property {{ from: number, to: number, text: string }[]} [history]
 * @property {boolean} [complete] the history is
 */

/**
 * @typedef {{ cell: Record<string, unknown> & { x: number, y: number, units?: number[], layers?: Record<string, unknown> } }} CellReport
 */

/** @typedef {{ unit: number } | { cell: Cell } | null} Selection */

/**
 * @typedef {object} UnitsFrame
 * @property {'units'} kind
 * @property {number} run
 * @property {number} tick
 * @property {number} count
 * @property {Float32Array} x
 * @property {Float32Array} y
 * @property {Uint8Array} state
 * @property {Uint8Array} team
 * @property {Uint8Array} body
 * @property {Uint8Array} heading
 */

/**
 * @typedef {{ kind: 'terrain', run: number, version: number, width: number, height: number, letters: Uint8Array }} TerrainFrame
 */

/**
 * @typedef {object} LayerFrame
 * @property {'layer'} kind
 * @property {number} run
 * @property {number} number
 * @property {'scalar' | 'arrows' | 'mask'} shape
 * @property {number} tick
 * @property {number} width
 * @property {number} height
 * @property {number} low
 * @property {number} high
 * @property {Uint8Array} values
 */

/**
 * @typedef {{ kind: 'path', run: number, tick: number, unit: number, points: [number, number, number][] }} PathFrame
 */

/**
 * Where each unit goes now; null for those that go nowhere, or do not know where.
 * @typedef {{ kind: 'goals', run: number, tick: number, cells: (Cell | null)[] }} GoalsFrame
 */

/** @typedef {UnitsFrame | TerrainFrame | LayerFrame | PathFrame | GoalsFrame} Frame */

export {};
