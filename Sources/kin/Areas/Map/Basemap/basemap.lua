-- SPDX-License-Identifier: Apache-2.0
-- What of OpenStreetMap goes into the map beneath (tilemaker 2.2). The names of layers and classes are those of the
-- OpenMapTiles schema, so that files made elsewhere by that schema are drawn by the same painter.

node_keys = { "place" }

-- The first zoom at which a place's name is shown, and its rank among names.
local places = {
  city = { 4, 1 }, town = { 7, 2 }, suburb = { 11, 4 }, village = { 10, 3 }, quarter = { 13, 5 },
  neighbourhood = { 14, 6 }, hamlet = { 13, 5 }, island = { 10, 4 }, isolated_dwelling = { 14, 7 }, locality = { 14, 7 },
}

-- Roads: OpenStreetMap's value, the class, and the first zoom.
local roads = {
  motorway = { "motorway", 5 }, motorway_link = { "motorway", 10 }, trunk = { "trunk", 6 }, trunk_link = { "trunk", 10 },
  primary = { "primary", 8 }, primary_link = { "primary", 11 }, secondary = { "secondary", 9 },
  secondary_link = { "secondary", 12 }, tertiary = { "tertiary", 11 }, tertiary_link = { "tertiary", 12 },
  unclassified = { "minor", 12 }, residential = { "minor", 12 }, living_street = { "minor", 12 }, road = { "minor", 12 },
  pedestrian = { "path", 13 }, service = { "service", 13 }, track = { "track", 13 }, footway = { "path", 14 },
  path = { "path", 13 }, cycleway = { "path", 13 }, bridleway = { "path", 14 }, steps = { "path", 14 },
}

-- Land: key and value, the class, and the first zoom.
local land = {
  ["natural=wood"] = { "wood", 7 }, ["landuse=forest"] = { "wood", 7 }, ["natural=scrub"] = { "grass", 11 },
  ["natural=heath"] = { "grass", 11 }, ["natural=grassland"] = { "grass", 11 }, ["landuse=meadow"] = { "grass", 11 },
  ["landuse=grass"] = { "grass", 12 }, ["landuse=village_green"] = { "grass", 12 },
  ["landuse=recreation_ground"] = { "grass", 12 }, ["landuse=cemetery"] = { "grass", 12 },
  ["landuse=allotments"] = { "grass", 12 }, ["landuse=orchard"] = { "farmland", 11 },
  ["landuse=vineyard"] = { "farmland", 11 }, ["landuse=farmland"] = { "farmland", 10 },
  ["natural=beach"] = { "sand", 11 }, ["natural=sand"] = { "sand", 11 }, ["natural=bare_rock"] = { "rock", 11 },
  ["natural=scree"] = { "rock", 11 }, ["natural=glacier"] = { "ice", 7 }, ["natural=wetland"] = { "wetland", 10 },
  ["leisure=park"] = { "park", 11 }, ["leisure=garden"] = { "grass", 13 }, ["leisure=golf_course"] = { "grass", 12 },
  ["leisure=pitch"] = { "grass", 14 }, ["leisure=playground"] = { "park", 14 }, ["leisure=nature_reserve"] = { "park", 9 },
}
local use = {
  ["landuse=residential"] = { "residential", 10 }, ["landuse=commercial"] = { "commercial", 11 },
  ["landuse=retail"] = { "commercial", 11 }, ["landuse=industrial"] = { "industrial", 11 },
  ["landuse=railway"] = { "industrial", 13 }, ["amenity=school"] = { "school", 13 },
  ["amenity=kindergarten"] = { "school", 14 }, ["amenity=university"] = { "school", 13 },
  ["amenity=hospital"] = { "hospital", 13 }, ["amenity=parking"] = { "parking", 14 },
}
local waterways = { river = 8, canal = 10, stream = 13, drain = 14, ditch = 14 }

function init_function() end
function exit_function() end

local function named(object)
  local name = object:Find("name")
  if name == "" then return false end
  object:Attribute("name", name)
  for _, language in ipairs({ "en", "de" }) do
    local own = object:Find("name:" .. language)
    if own ~= "" and own ~= name then object:Attribute("name:" .. language, own) end
  end
  return true
end

function node_function(node)
  local kind = node:Find("place")
  local found = places[kind]
  if not found or node:Find("name") == "" then return end
  node:Layer("place", false)
  named(node)
  node:Attribute("class", kind)
  node:AttributeNumeric("rank", found[2])
  node:MinZoom(found[1])
end

-- The first of some keys whose value the table knows.
local function among(way, keys, known)
  for _, key in ipairs(keys) do
    local value = way:Find(key)
    if value ~= "" then
      local found = known[key .. "=" .. value]
      if found then return found end
    end
  end
end

function way_function(way)
  local highway, isClosed = way:Find("highway"), way:IsClosed()

  local road = roads[highway]
  if road and way:Find("area") ~= "yes" then
    way:Layer("transportation", false)
    way:Attribute("class", road[1])
    way:MinZoom(road[2])
    if way:Find("tunnel") == "yes" then way:Attribute("brunnel", "tunnel") end
    if way:Find("bridge") == "yes" then way:Attribute("brunnel", "bridge") end
    if way:Find("name") ~= "" then
      way:Layer("transportation_name", false)
      named(way)
      way:Attribute("class", road[1])
      way:MinZoom(math.max(road[2] + 2, 12))
    end
    return
  end

  local railway = way:Find("railway")
  if railway == "rail" or railway == "tram" or railway == "light_rail" or railway == "subway" or railway == "narrow_gauge" then
    way:Layer("transportation", false)
    way:Attribute("class", railway == "rail" and "rail" or "transit")
    way:MinZoom(railway == "rail" and way:Find("service") == "" and 8 or 13)
    if way:Find("tunnel") == "yes" then way:Attribute("brunnel", "tunnel") end
    return
  end

  local natural = way:Find("natural")
  if natural == "coastline" then
    -- Its direction says which side is the sea: the right one.
    way:Layer("coastline", false)
    way:MinZoom(0)
    return
  end

  local waterway = way:Find("waterway")
  if isClosed and (natural == "water" or waterway == "riverbank" or way:Find("landuse") == "reservoir" or way:Find("landuse") == "basin") then
    way:Layer("water", true)
    way:Attribute("class", "lake")
    way:MinZoom(way:Area() > 1000000 and 6 or way:Area() > 50000 and 9 or 12)
    return
  end
  if waterways[waterway] then
    way:Layer("waterway", false)
    way:Attribute("class", waterway)
    way:MinZoom(waterways[waterway])
    return
  end

  if isClosed and way:Find("building") ~= "" and way:Find("building") ~= "no" then
    way:Layer("building", true)
    way:MinZoom(14)
    return
  end

  if not isClosed then return end
  local found = among(way, { "natural", "landuse", "leisure" }, land)
  if found then
    way:Layer("landcover", true)
    way:Attribute("class", found[1])
    way:MinZoom(way:Area() > 5000000 and math.min(found[2], 9) or found[2])
    return
  end
  found = among(way, { "landuse", "amenity" }, use)
  if found then
    way:Layer("landuse", true)
    way:Attribute("class", found[1])
    way:MinZoom(found[2])
  end
end
