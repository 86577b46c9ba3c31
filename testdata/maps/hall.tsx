<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="hall" tilewidth="16" tileheight="16" tilecount="16" columns="4">
 <tile id="1"><properties><property name="terrain" value="swamp"/></properties></tile>
 <tile id="2"><properties><property name="terrain" value="W"/></properties></tile>
</tileset>
